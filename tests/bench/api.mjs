/** The demo city's admin, signed in. */
export async function signIn(url) {
  const body = JSON.stringify({ email: "admin@parks.example", password: "lamplighter-demo" });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}`);
  return (await answer.json()).access_token;
}
