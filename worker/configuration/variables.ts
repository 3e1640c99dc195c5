import { isSealingKey } from "#db/sealed";
import { isHeaderName } from "#worker/auth/address";
import { deadmanUrl } from "#worker/deadman";
import { mapTiles } from "#worker/map-tiles";

/** Each secret and each var of wrangler.toml, by the names that wrangler gives their types. */
export type Name = { [Key in keyof Env]: Env[Key] extends string ? Key : never }[keyof Env];

export type Variable = {
  /** A secret is set by `wrangler secret put`, a var in wrangler.toml; locally .dev.vars has both. */
  kind: "secret" | "var";
  /** What it is, as what follows its name and 'is'. */
  what: string;
  /** How to make one, or which values it may have. */
  how: string;
  /** What a new value changes, besides. */
  change?: string;
  /** Without it the server answers nothing but that it is not configured. */
  isRequired: boolean;
  /** Whether a value that is not empty can be used. */
  isValid: (value: string) => boolean;
  /** What a valid one is, as what follows its name and 'must be'. */
  must: string;
  /** Those that are of use together only. */
  together?: readonly Name[];
};

const RANDOM = "`openssl rand -base64 32`";
const TWILIO: readonly Name[] = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN", "TWILIO_FROM"];

const isSwitch = (value: string) => value === "on" || value === "off";
const isCount = (value: string, least: number) => /^\d+$/.test(value) && Number(value) >= least;
const secret = { kind: "secret", isRequired: false } as const;
const setting = { kind: "var", isRequired: false } as const;
const onOrOff = { ...setting, isValid: isSwitch, must: "on or off" } as const;

/** The only list of secrets and settings: the checks of `npm start`, of `npm run deploy` and of the running server follow it. */
export const VARIABLES: Readonly<Record<Name, Variable>> = {
  SESSION_SECRET: {
    ...secret,
    isRequired: true,
    what: "what signs the access tokens and the session cookies",
    how: RANDOM,
    change: "signs everybody out",
    isValid: (value) => value.length >= 32,
    must: "at least 32 characters",
  },
  SETTINGS_KEY: {
    ...secret,
    isRequired: true,
    what: "the key that seals stored keys and credentials and signs the agents' plans",
    how: RANDOM,
    change:
      "keys and credentials are entered again, agents and webhooks get a new secret, and who has an authenticator app needs a " +
      "recovery code or `npm run admin -- --recover`; keep a copy in the city's safe",
    isValid: isSealingKey,
    must: "32 bytes in base64",
  },
  OPERATOR_TOKEN: {
    ...secret,
    what: "what opens /api/operator to whoever runs the deployment; without it there is no such address",
    how: RANDOM,
    isValid: (value) => isOperatorToken(value.trim()),
    must: "32 to 500 characters without spaces",
  },
  DEADMAN_URL: {
    ...secret,
    what: "what the sweep calls while every scheduler is on time, so that silence is noticed elsewhere",
    how: "the address of a check at healthchecks.io or a service like it, which expects a call every 5 minutes",
    isValid: (value) => deadmanUrl(value) !== null,
    must: "a public https address",
  },
  TWILIO_ACCOUNT_SID: {
    ...secret,
    what: "the account that sends text messages; without the three, notifications are recorded as not sent",
    how: "Twilio's console, Account Info",
    isValid: (value) => /^AC[0-9a-f]{32}$/i.test(value),
    must: "AC and 32 hexadecimal digits",
    together: TWILIO,
  },
  TWILIO_AUTH_TOKEN: {
    ...secret,
    what: "that account's token",
    how: "Twilio's console, Account Info",
    isValid: (value) => /^\S{32,}$/.test(value),
    must: "at least 32 characters without spaces",
    together: TWILIO,
  },
  TWILIO_FROM: {
    ...secret,
    what: "the number that text messages come from",
    how: "Twilio's console, Phone Numbers",
    isValid: (value) => /^(\+[1-9]\d{6,14}|\d{5,6}|[A-Za-z0-9 ]{1,11})$/.test(value),
    must: "a number such as +12025550123, a short code or a sender's name",
    together: TWILIO,
  },
  DEMO: {
    ...onOrOff,
    what: "whether there are demo accounts, whose password everybody knows; a deployment must have it off",
    how: "off; on for the demo city of one's own machine",
  },
  DIRECT_HUBS: {
    ...onOrOff,
    what: "whether hubs on private addresses are called; on Cloudflare they never can be",
    how: "off; on where the server stands on the hubs' own network",
  },
  LOG_RETENTION_DAYS: {
    ...setting,
    what: "after how many days logs are deleted",
    how: "400 by default",
    isValid: (value) => isCount(value, 1),
    must: "a whole number of days",
  },
  CLIENT_ADDRESS_HEADER: {
    ...setting,
    what: "the header with which the platform says where a request comes from",
    how: "CF-Connecting-IP on Cloudflare; none where nothing sets one that can be believed",
    isValid: isHeaderName,
    must: "the name of a header, or none",
  },
  CONNECTIONS: {
    ...setting,
    what: "how many connections one event may have open at once",
    how: "6 on Cloudflare, which holds no more",
    isValid: (value) => isCount(value, 6),
    must: "a whole number, 6 or more",
  },
  MAP_TILES_URL: {
    ...setting,
    what: "the map's ground; empty: places on a blank ground",
    how: "a PMTiles file with the Protomaps basemap, on a host that allows range requests from this site (CORS)",
    isValid: (value) => mapTiles(value).problem === null,
    must: "the https address of a .pmtiles file",
  },
  COMMIT: {
    ...setting,
    what: "the commit that was deployed, as /api/health tells it",
    how: "`npm run deploy` says it",
    isValid: (value) => /^[0-9a-f]{7,40}$/.test(value),
    must: "7 to 40 hexadecimal digits",
  },
};

/** What a header can carry, and too long to be guessed. */
export function isOperatorToken(value: string): boolean {
  return /^[\x21-\x7e]{32,500}$/.test(value);
}
