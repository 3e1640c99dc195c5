/**
 * In the page: while there is a `data-cut`, each list's answer ends within it, as when the server goes away. Not the next
 * one alone: a light that changes just then has the list loaded once more, in the place of the one that was pressed for.
 */
export function cutWhereAsked(): void {
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const answer = await send(input, init);
    const cut = document.documentElement.getAttribute("data-cut");
    if (cut === null || !new URL(answer.url).pathname.endsWith(".data")) return answer;
    // The first line has all but the list.
    const begin = (await answer.text()).split("\n", 1)[0] ?? "";
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(`${begin}\n`)),
      pull: async (stream) => {
        if (cut !== "at once") await new Promise((done) => setTimeout(done, 500));
        stream.error(new TypeError("network error"));
      },
    });
    return new Response(body, { status: answer.status, headers: answer.headers });
  };
}
