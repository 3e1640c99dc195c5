/** What the vendor's documentation says beside each code. Clients must go by the code: the texts vary by firmware. */
const TEXTS: Record<string, string> = {
  "000000": "Success",
  "000101": "Can't connect to Hub",
  "000102": "The hub cannot respond to this command",
  "000103": "Token is invalid",
  "000104": "Hub token is invalid",
  "000105": "redirect_uri can't be null",
  "000106": "client_id is invalid",
  "000201": "Cannot connect to the device",
  "000202": "The device cannot respond to this command",
  "000203": "Cannot connect to the device",
  "010000": "Service is not available, try again later",
  "010001": "Internal connection is not available, try again later",
  "010101": "Invalid request: CSID is invalid!",
  "010102": "Invalid request: SecKey is invalid!",
  "010103": "Invalid request: Authorization is invalid!",
  "010104": "Invalid request: The token is expired",
  "010200": "Invalid data packet: params is not valid",
  "010201": "Invalid data packet: time can not be null",
  "010202": "Invalid data packet: method can not be null",
  "010203": "Invalid data packet: method is not supported",
  "010204": "Invalid data packet",
  "010300": "This interface is restricted to access",
  "010301": "Access denied due to limits reached, Please retry later",
  "020100": "The device is already bound by another user",
  "020101": "The device does not exist",
  "020102": "Device mask error",
  "020103": "The device is not supported",
  "020104": "Device is busy, try again later.",
  "020105": "Unable to retrieve device",
  "020201": "No devices were searched",
  "030101": "No Data found",
};

/** The vendor's text for a code, an unknown error if it is not documented. */
export function textOf(code: string): string {
  return TEXTS[code] ?? "UnKnown error";
}
