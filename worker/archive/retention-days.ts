/** A century; so many days before now are an instant still. */
const MOST_DAYS = 36_500;

/** After how many days logs are deleted. */
export function retentionDays({ LOG_RETENTION_DAYS }: { LOG_RETENTION_DAYS: string }): number {
  const days = Number(LOG_RETENTION_DAYS);
  return Number.isInteger(days) && days > 0 ? Math.min(days, MOST_DAYS) : 400;
}
