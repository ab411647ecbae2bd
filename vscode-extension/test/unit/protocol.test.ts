import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import { describe, expect, test } from "vitest";
import type { Node, Nodes } from "../../src/protocol";
import { rowOf } from "../../src/views/rows";
import { listening, session, Talk } from "../support/dap";

const PROTOCOL = join(import.meta.dirname, "../../../backend/protocol");
const schema = JSON.parse(readFileSync(join(PROTOCOL, "editor.json"), "utf8"));
const ajv = new Ajv2020({ allowUnionTypes: true, keywords: Object.keys(schema).filter(isOurs) });
ajv.addSchema(schema);

function isOurs(keyword: string): boolean {
  return [
    "version",
    "requests",
    "notifications",
    "editor_requests",
    "editor_notifications",
  ].includes(keyword);
}

/** What is wrong with a value of that type, or null. */
function errors(type: string, value: unknown): string | null {
  const validate = ajv.getSchema(`${schema.$id}#/$defs/${type}`);
  if (validate === undefined) throw new Error(`the schema has no ${type}`);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

function examples(kind: "valid" | "invalid"): [string, string, unknown][] {
  const folder = join(PROTOCOL, "examples/editor", kind);
  return readdirSync(folder).map((name) => {
    const value: unknown = JSON.parse(readFileSync(join(folder, name), "utf8"));
    return [name, name.split(".")[0] ?? "", value];
  });
}

describe("the examples of the protocol", () => {
  test.each(examples("valid"))("%s is valid", (_, type, value) => {
    expect(errors(type, value)).toBeNull();
  });

  test.each(examples("invalid"))("%s is not", (_, type, value) => {
    expect(errors(type, value)).not.toBeNull();
  });

  test("that are nodes are drawn", () => {
    const nodes = examples("valid").flatMap(([, type, value]) =>
      type === "Node" ? [value as Node] : type === "Nodes" ? (value as Nodes).nodes : [],
    );
    expect(nodes.length).toBeGreaterThan(1);
    for (const node of nodes) expect(rowOf(node)).toMatchObject({ id: node.id, label: node.label });
  });
});

test("what is said of a session's stops is as the protocol has it", () => {
  const { stops, notifications } = listening();
  const talk = new Talk(stops, session("a"));
  talk.stop(1, 7, 8);
  stops.selected(talk.info, 8);
  talk.did("next", { threadId: 1 });
  talk.event("terminated");
  const names = notifications.map(({ name }) => name);
  expect(names).toEqual(["stopped", "frame", "continued", "ended"]);
  for (const { name, params } of notifications) {
    expect(errors(schema.notifications[name].params, params)).toBeNull();
  }
});
