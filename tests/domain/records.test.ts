import { expect, test } from "vitest";
import type { z } from "zod";
import * as answers from "#domain/hubs/connectivity-answers";
import { isRefusal, Refusal } from "#domain/errors";
import { explanation } from "#domain/resolve/explanation";
import * as records from "#domain/records/records";
import { GUARDRAIL_DEFAULTS, SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";

const fieldsOf = (record: z.ZodObject) => Object.keys(record.shape).join(" ");
const editable = "id version created_at updated_at";

test("each record has the fields that clients rely on", () => {
  const fields = Object.fromEntries(Object.entries(records).map(([name, record]) => [name, fieldsOf(record)]));
  expect(fields).toEqual({
    area: `${editable} name type location active stagger_sec`,
    areaSummary:
      // devices_hidden, so that a person with hidden lights does not read 'none'.
      "id name type hubs_online hubs_total devices_on devices_total devices_hidden problems last_activity next_event",
    hub: `${editable} name area_id area_name ip_address port connection_mode agent_id agent_name notes has_local_credentials`,
    hubSaved: `${editable} name area_id area_name ip_address port connection_mode agent_id agent_name notes has_local_credentials warnings`,
    agent: `${editable} name hint issued_at revoked_at status connected_since last_seen agent_version plan_refused hubs`,
    agentWithSecret: `${editable} name hint issued_at revoked_at status connected_since last_seen agent_version plan_refused hubs secret`,
    hubHealth: "hub_id status last_seen rtt_ms",
    device: `${editable} name area_id area_name hub_id hub_name dept_id model cloud_device_id local_ref on_payload off_payload notes restrike_min current_state last_state_at problem problem_since hold`,
    group: "id area_id area_name name device_ids version",
    schedule: `${editable} title area_id area_name device_id device_name target description_short start_at end_at rrule timezone start_sun end_sun exdates calendar_id calendar_rule status last_end_at`,
    calendar: `${editable} name dates`,
    workorder: `${editable} title description status priority dept_id device_id area_id assigned_to created_by completed_at alarm_id alarm_over_at`,
    department: "id org_id name version",
    orgMembership: "org_id org_name role",
    departmentMember: "id user_id email role",
    user: "id email role org_role current_org_id current_dept_id org_memberships dept_memberships must_change_password must_redeem_code must_set_up_second_factor",
    ownSession: "id created_at last_active_at expires_at address user_agent current",
    secondFactor: "enabled required recovery_codes_left",
    secondFactorSetup: "secret link qr_svg",
    colleague: "id email role",
    member: "id email role org_role active pending version",
    invited: "id email role org_role active pending version one_time_password",
    deviceEvent:
      "id created_at device_id area_id device_name area_name hub_name schedule_title action result provider response_snippet http_status",
    schedulerEvent: "id ts device_id device_name source action result attempts note cause",
    connectivityLog: "id created_at action device_name hub_name provider result response_snippet",
    auditLog: "id created_at actor_email actor_role action resource_type resource_id details",
    systemSettings:
      "YOLINK_UAC_KEY YOLINK_CLOUD_BASE PROVIDER_MODE APP_TIMEZONE HUB_CHECK_INTERVAL_SEC HUB_OFFLINE_ALERT_MIN SESSION_IDLE_MIN SECOND_FACTOR_ROLES CITY_LAT CITY_LON",
    guardrailSettings:
      "HARD_CURFEW_OFF MAX_ON_DURATION_MIN BLACKOUT_WINDOW WATCHDOG_ENABLED WATCHDOG_INTERVAL_SEC YOLINK_VERIFY_DELAY_SEC RETRY_BACKOFFS_SEC NOTIFY_ON_FAIL NOTIFY_SMS_TO",
    toggleResult: "success action state provider detail",
    toggleRow: "device_id success pending detail",
    notification: "id created_at incident alarm_id kind message recipients status detail attempts sent_at",
  });
  expect(records.areaSummary.shape.hubs_total.safeParse(-1).success).toBe(false);
  expect(records.areaSummary.shape.hubs_total.safeParse(2).success).toBe(true);
  expect(fieldsOf(records.user.shape.org_memberships.element)).toBe("org_id org_name role");
  expect(fieldsOf(records.user.shape.dept_memberships.element)).toBe("dept_id org_id role");
  expect(fieldsOf(records.area.shape.location.unwrap())).toBe("address lat lon");
});

test("a connectivity test has the fields that clients rely on", () => {
  expect(fieldsOf(answers.pingAnswer)).toBe("timestamp hub_name ip_address result");
  expect(fieldsOf(answers.pingAnswer.shape.result)).toBe("success rtt_ms detail provider");
  expect(fieldsOf(answers.statusAnswer)).toBe("timestamp device_name result");
  expect(fieldsOf(answers.statusAnswer.shape.result)).toBe("success state provider error");
  expect(fieldsOf(answers.testAnswer)).toBe("timestamp device_name action success action_result verification_result");
  expect(fieldsOf(answers.testAnswer.shape.action_result)).toBe("success provider error");
  expect(fieldsOf(answers.testAnswer.shape.verification_result)).toBe("state");
});

test("an explanation has everything that resolve used", () => {
  expect(fieldsOf(explanation)).toBe(
    "device_id state reason sentence claims toggle lit_since guardrail closure refusal next_change_at next_start_at next_flip problem reported command",
  );
  const { claims, toggle, guardrail, closure, reported, command, state, reason } = explanation.shape;
  expect(fieldsOf(claims.element)).toBe("schedule_id title start_at end_at");
  expect(fieldsOf(toggle)).toBe("off_at off_by on_at on_by");
  expect(fieldsOf(guardrail.unwrap())).toBe("kind until");
  expect(guardrail.unwrap().shape.kind.options).toEqual(["curfew", "blackout"]);
  expect(fieldsOf(closure.unwrap())).toBe("id reason until");
  expect(fieldsOf(reported)).toBe("state at");
  expect(fieldsOf(command.unwrap())).toBe("action source attempt phase");
  expect(state.options).toEqual(["on", "off", "none"]);
  expect(reason.options).toEqual([
    "emergency",
    "curfew",
    "blackout",
    "closure",
    "hold_off",
    "max_on",
    "claim",
    "hold_on",
    "manual_on",
    "pending_off",
    "external",
    "idle",
  ]);
});

test("settings have the defaults that a new city starts with", () => {
  expect(SYSTEM_DEFAULTS).toEqual({
    YOLINK_UAC_KEY: "",
    YOLINK_CLOUD_BASE: "https://api.yosmart.com",
    PROVIDER_MODE: "mock",
    APP_TIMEZONE: "America/Los_Angeles",
    HUB_CHECK_INTERVAL_SEC: 180,
    HUB_OFFLINE_ALERT_MIN: 15,
    SESSION_IDLE_MIN: 60,
    SECOND_FACTOR_ROLES: [],
    CITY_LAT: null,
    CITY_LON: null,
  });
  expect(GUARDRAIL_DEFAULTS).toEqual({
    HARD_CURFEW_OFF: "23:45",
    MAX_ON_DURATION_MIN: 240,
    BLACKOUT_WINDOW: "00:00-05:00",
    WATCHDOG_ENABLED: true,
    WATCHDOG_INTERVAL_SEC: 60,
    YOLINK_VERIFY_DELAY_SEC: 8,
    RETRY_BACKOFFS_SEC: [10, 30],
    NOTIFY_ON_FAIL: true,
    NOTIFY_SMS_TO: "+12025550123",
  });
});

test("recognizes a refusal by its name and fields, even from another bundle", () => {
  const refusal = new Refusal("too_many", "Wait", { fields: { name: "wrong" }, retry_after_sec: 5 });
  expect(refusal).toMatchObject({
    message: "Wait",
    code: "too_many",
    detail: "Wait",
    fields: { name: "wrong" },
    retry_after_sec: 5,
  });
  expect(isRefusal(refusal)).toBe(true);
  const other = Object.assign(new Error("Wait"), { name: "Refusal", code: "too_many", detail: "Wait" });
  expect(isRefusal(other)).toBe(true);
  const { message, name, code, detail } = other;
  expect(isRefusal({ message, name, code, detail })).toBe(false);
  expect(isRefusal(Object.assign(new Error("Wait"), { code, detail }))).toBe(false);
  expect(isRefusal(Object.assign(new Error("Wait"), { name, code }))).toBe(false);
  expect(isRefusal(Object.assign(new Error("Wait"), { name, detail }))).toBe(false);
  expect(new Refusal("invalid", "No").fields).toBeUndefined();
});
