/** The demo city's admin, signed in: a token for the API. */
export async function signIn(url) {
  return (await (await logIn(url)).json()).access_token;
}

/** ... and a cookie for the screens; one does not stand for the other. */
export async function cookieOf(url) {
  const [cookie] = (await logIn(url)).headers.getSetCookie();
  return cookie.split(";")[0];
}

async function logIn(url) {
  const body = JSON.stringify({ email: "admin@parks.example", password: "lamplighter-demo" });
  const headers = { "Content-Type": "application/json" };
  const answer = await fetch(`${url}/api/auth/login`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}`);
  return answer;
}
