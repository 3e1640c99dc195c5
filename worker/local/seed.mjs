export const seedIfEmpty = async () => false;
export const demoAccounts = async () => [];
