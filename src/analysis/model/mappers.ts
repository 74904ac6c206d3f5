// Query builders and mappers: a line for each file.
export { drizzle } from './drizzle.ts';
export { knex } from './knex.ts';
export { kysely } from './kysely.ts';
export { mikroOrm } from './mikro-orm.ts';
export { mongoose } from './mongoose.ts';
export { objection } from './objection.ts';
export { prisma } from './prisma.ts';
export { sequelize } from './sequelize.ts';
export { typeorm } from './typeorm.ts';
