import { Link } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { ButtonLink } from "#app/components/button-link";
import { areaHref, NameLink } from "#app/components/page-links";
import { HiddenFields } from "#app/forms/hidden-fields";
import {
  CircleHelp,
  ClipboardList,
  CloudOff,
  Lightbulb,
  LightbulbOff,
  WifiOff,
  type IconComponent,
} from "#app/ui/icons";
import { Button } from "#app/ui/button";
import type { AttentionItem, AttentionKind } from "#domain/alarms/attention";
import { hrefOf, orderHref } from "./attention-links";
import { useAct } from "./use-act";

const ICONS: Record<AttentionKind, IconComponent> = {
  dark: LightbulbOff,
  lit: Lightbulb,
  unconfirmed: CircleHelp,
  hub: WifiOff,
  connection: CloudOff,
  workorder: ClipboardList,
};

/**
 * One thing that needs a person: what it is, what is wrong, and what can be done. `isOver`: it is well again, and with less
 * to say as high as before, since the rows below must not move.
 */
export function AttentionRow({ item, isOver: isWell }: { item: AttentionItem; isOver: boolean }) {
  const { words, ...call } = useAct(item);
  // A press takes the place of the try that had failed: it is not well before its lamp has answered.
  const isOver = isWell && !call.pending;
  const Icon = ICONS[item.kind];
  const row = useRef<HTMLLIElement>(null);
  const height = useRef(0);
  useEffect(() => {
    if (!isOver) height.current = row.current?.offsetHeight ?? 0;
  });
  const due = item.due === null ? "" : ` ${item.due}.`;
  return (
    <li
      ref={row}
      className={`attention attention-${isOver ? "over" : item.kind}`}
      style={isOver ? { minHeight: height.current } : undefined}
    >
      <i>
        <Icon />
      </i>
      <div>
        <p>
          <NameLink to={hrefOf(item)}>{item.name}</NameLink>
          {item.area && <Link to={areaHref(item.area.id)}>{item.area.name}</Link>}
        </p>
        <p role={words === null ? undefined : "status"}>
          {isOver ? "As it should be again." : (words ?? `${item.sentence}.${due}`)}
        </p>
      </div>
      {!isOver && (
        <div>
          {item.kind !== "workorder" && item.kind !== "connection" && (
            <Link to={orderHref(item)} aria-label={`Work order: ${item.name}`}>
              Work order
            </Link>
          )}
          <Act item={item} {...call} />
        </div>
      )}
    </li>
  );
}

type Call = Omit<ReturnType<typeof useAct>, "words">;

/** The one obvious thing to do; nothing for who may not do it. */
function Act({ item, Form, onSubmit, pending }: { item: AttentionItem } & Call) {
  const { act, id, name, kind } = item;
  if (act === null) return null;
  if (act.act === "open") {
    return (
      <ButtonLink to={hrefOf(item)} aria-label={`Open: ${name}`}>
        Open
      </ButtonLink>
    );
  }
  const label = act.act === "ping" ? "Ping hub" : kind === "lit" ? "Turn off" : "Try again";
  return (
    <Form method="post" onSubmit={onSubmit}>
      <HiddenFields intent={act.act === "ping" ? "ping" : "toggle"} id={id} />
      {act.act === "switch" && <input type="hidden" name="action" value={act.to} />}
      <Button type="submit" pending={pending} aria-label={`${label}: ${name}`}>
        {label}
      </Button>
    </Form>
  );
}
