import { CONFIG_PATH } from "../config";

export const SERVICE = "lamplighter-agent";
export const UNIT_PATH = `/etc/systemd/system/${SERVICE}.service`;
export const PROGRAM_PATH = `/usr/local/lib/${SERVICE}/agent.mjs`;

/**
 * The service as systemd has it. It runs as a user that exists only while it does, who can write to one folder and can't
 * read the file with the secret: systemd hands that over. V8 makes code at run time, so memory stays executable; what it
 * asks of newer kernels (memory keys) and the filter does not know is refused, where it would kill the program at its start.
 */
export function unit(node: string): string {
  return `[Unit]
Description=Lamplighter's on-site agent
Wants=network-online.target
After=network-online.target
StartLimitIntervalSec=0

[Service]
ExecStart=${node} ${PROGRAM_PATH} run
LoadCredential=config:${CONFIG_PATH}
DynamicUser=yes
StateDirectory=${SERVICE}
StateDirectoryMode=0700
UMask=0077
Restart=always
RestartSec=5

NoNewPrivileges=yes
CapabilityBoundingSet=
ProtectSystem=strict
ProtectHome=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
LockPersonality=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}
