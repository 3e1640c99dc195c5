import sprite from "#app/ui/icons.svg?url";

type Props = {
  className?: string | undefined;
  /** Said in place of the picture; without it, the picture is hidden from who cannot see it. */
  "aria-label"?: string;
};

export type IconComponent = (props: Props) => React.JSX.Element;

/**
 * A picture of the sprite, which the browser loads once: drawn into each card, icons were a third of a list's page.
 * `npm run icons` makes the sprite from the names below.
 */
/* @__NO_SIDE_EFFECTS__ */
function icon(name: string): IconComponent {
  const href = `${sprite}#${name}`;
  return function Icon({ className, "aria-label": label }) {
    const named = label === undefined ? { "aria-hidden": true } : { role: "img", "aria-label": label };
    return (
      <svg className={className} {...named}>
        <use href={href} />
      </svg>
    );
  };
}

export const Activity = icon("activity");
export const ArrowLeft = icon("arrow-left");
export const Ban = icon("ban");
export const BellOff = icon("bell-off");
export const Building2 = icon("building-2");
export const CalendarClock = icon("calendar-clock");
export const CalendarDays = icon("calendar-days");
export const CalendarPlus = icon("calendar-plus");
export const ChartGantt = icon("chart-gantt");
export const Check = icon("check");
export const ChevronDown = icon("chevron-down");
export const ChevronLeft = icon("chevron-left");
export const ChevronRight = icon("chevron-right");
export const ChevronUp = icon("chevron-up");
export const ChevronsUp = icon("chevrons-up");
export const Circle = icon("circle");
export const CircleCheck = icon("circle-check");
export const CircleDashed = icon("circle-dashed");
export const CircleDot = icon("circle-dot");
export const CircleHelp = icon("circle-help");
export const CircleSlash = icon("circle-slash");
export const CircleUserRound = icon("circle-user-round");
export const CircleX = icon("circle-x");
export const ClipboardList = icon("clipboard-list");
export const ClipboardPlus = icon("clipboard-plus");
export const Clock = icon("clock");
export const CloudOff = icon("cloud-off");
export const Construction = icon("construction");
export const Copy = icon("copy");
export const CornerDownLeft = icon("corner-down-left");
export const Download = icon("download");
export const Equal = icon("equal");
export const FileX = icon("file-x");
export const FilterX = icon("filter-x");
export const FlaskConical = icon("flask-conical");
export const Footprints = icon("footprints");
export const Goal = icon("goal");
export const Hand = icon("hand");
export const History = icon("history");
export const Info = icon("info");
export const KeyRound = icon("key-round");
export const LayoutGrid = icon("layout-grid");
export const LayoutDashboard = icon("layout-dashboard");
export const Lightbulb = icon("lightbulb");
export const LightbulbOff = icon("lightbulb-off");
export const List = icon("list");
export const ListChecks = icon("list-checks");
export const ListTree = icon("list-tree");
export const LoaderCircle = icon("loader-circle");
export const Lock = icon("lock");
export const LogOut = icon("log-out");
export const Mail = icon("mail");
export const MapPin = icon("map-pin");
export const MapPinned = icon("map-pinned");
export const Map = icon("map");
export const Maximize = icon("maximize");
export const Menu = icon("menu");
export const Minus = icon("minus");
export const Monitor = icon("monitor");
export const Moon = icon("moon");
export const MoonStar = icon("moon-star");
export const Pencil = icon("pencil");
export const PlugZap = icon("plug-zap");
export const Plus = icon("plus");
export const Power = icon("power");
export const Radio = icon("radio");
export const Repeat = icon("repeat");
export const RotateCw = icon("rotate-cw");
export const Router = icon("router");
export const ScrollText = icon("scroll-text");
export const Search = icon("search");
export const SearchX = icon("search-x");
export const Settings = icon("settings");
export const ShieldAlert = icon("shield-alert");
export const ShieldCheck = icon("shield-check");
export const SlidersHorizontal = icon("sliders-horizontal");
export const Siren = icon("siren");
export const SkipForward = icon("skip-forward");
export const Square = icon("square");
export const SquareCheck = icon("square-check");
export const Sun = icon("sun");
export const Sunrise = icon("sunrise");
export const Sunset = icon("sunset");
export const TimerReset = icon("timer-reset");
export const Trash2 = icon("trash-2");
export const Trees = icon("trees");
export const TriangleAlert = icon("triangle-alert");
export const Upload = icon("upload");
export const UserCog = icon("user-cog");
export const UserMinus = icon("user-minus");
export const UserPlus = icon("user-plus");
export const Users = icon("users");
export const Waves = icon("waves");
export const Wifi = icon("wifi");
export const WifiOff = icon("wifi-off");
export const Wrench = icon("wrench");
export const X = icon("x");
