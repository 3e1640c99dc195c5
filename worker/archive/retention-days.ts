/** After how many days logs are deleted. */
export function retentionDays({ LOG_RETENTION_DAYS }: { LOG_RETENTION_DAYS: string }): number {
  const days = Number(LOG_RETENTION_DAYS);
  return Number.isInteger(days) && days > 0 ? days : 400;
}
