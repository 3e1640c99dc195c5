import { UserError } from "./user-error.mjs";

/** Asks twice without echo; from a pipe it reads the first line. */
export async function askPassword() {
  if (!process.stdin.isTTY) return (await readAll()).split(/\r?\n/)[0];
  const first = await ask("Password (12 characters or more): ");
  if ((await ask("Once more: ")) !== first) throw new UserError("The two passwords differ. Nothing was changed.");
  return first;
}

async function readAll() {
  let text = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) text += chunk;
  return text;
}

function ask(question) {
  const { stdin, stdout } = process;
  stdout.write(question);
  stdin.setRawMode(true).setEncoding("utf8").resume();
  return new Promise((resolve, reject) => {
    let typed = "";
    const listen = (keys) => {
      for (const key of keys) {
        if (key === "\r" || key === "\n") return end(() => resolve(typed));
        if (key === "\u0003" || key === "\u0004") return end(() => reject(new UserError("Nothing was changed.")));
        if (key === "\u007f" || key === "\b") typed = typed.slice(0, -1);
        else if (key >= " ") typed += key;
      }
    };
    const end = (settle) => {
      stdin.off("data", listen).setRawMode(false).pause();
      stdout.write("\n");
      settle();
    };
    stdin.on("data", listen);
  });
}
