/** Describes the schema of a database as SQL that recreates it, and as Mermaid diagrams, from PostgreSQL's catalog. */
import type { Db } from '../../src/db/sql.ts';

type Column = { table: string; name: string; type: string; rest: string; isKey: boolean };
type Constraint = { table: string; name: string; definition: string; kind: string; to: string | null };
type Table = { name: string; isUnlogged: boolean; options: string | null };

export type Schema = {
  extensions: string[];
  functions: string[];
  tables: Table[];
  columns: Column[];
  constraints: Constraint[];
  indexes: { table: string; definition: string }[];
  triggers: string[];
};

/** Everything in the schema `public` except the list of migrations. */
export async function readSchema(db: Db): Promise<Schema> {
  const [extensions, functions, tables, columns, constraints, indexes, triggers] = await Promise.all([
    db<
      { name: string }[]
    >`select extname as name from pg_extension where extname not in ('plpgsql') and extname not like 'citus%' order by 1`,
    db<{ definition: string }[]>`
      select pg_get_functiondef(p.oid) as definition from pg_proc p
      where p.pronamespace = 'public'::regnamespace
        and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
      order by p.proname`,
    db<Table[]>`
      select c.relname as name, c.relpersistence = 'u' as is_unlogged, array_to_string(c.reloptions, ', ') as options
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations' order by 1`,
    db<Column[]>`
      select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        concat_ws(' ',
          case when a.attcollation <> t.typcollation then 'collate "' || l.collname || '"' end,
          case when a.attnotnull then 'not null' end,
          case when a.attidentity = 'a' then 'generated always as identity' end,
          case when a.attgenerated = 's' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
            when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end) as rest,
        exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and a.attnum = any(i.indkey)) as is_key
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      join pg_type t on t.oid = a.atttypid
      left join pg_collation l on l.oid = a.attcollation
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migrations'
      order by c.relname, a.attname`,
    db<Constraint[]>`
      select c.conrelid::regclass::text as table, c.conname as name, pg_get_constraintdef(c.oid) as definition, c.contype as kind,
        case when c.contype = 'f' then c.confrelid::regclass::text end as to
      from pg_constraint c
      where c.connamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'f', 'c') and c.conrelid <> 'migrations'::regclass
      order by 1, c.contype = 'f', c.contype desc, c.conname`,
    db<{ table: string; definition: string }[]>`
      select i.indrelid::regclass::text as table, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace and i.indrelid <> 'migrations'::regclass
        and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u'))
      order by 1, c.relname`,
    db<{ definition: string }[]>`
      select pg_get_triggerdef(t.oid) as definition from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = 'public'::regnamespace and not t.tgisinternal order by c.relname, t.tgname`,
  ]);
  return {
    extensions: extensions.map(({ name }) => name),
    functions: functions.map(({ definition }) => definition.trim()),
    tables,
    columns,
    constraints,
    indexes,
    triggers: triggers.map(({ definition }) => definition),
  };
}

/** Foreign keys and triggers come last, so that the order of tables doesn't matter. */
export function schemaSql({ extensions, functions, tables, columns, constraints, indexes, triggers }: Schema): string {
  const parts = [
    ...extensions.map((name) => `create extension if not exists ${name};`),
    ...functions.map((definition) => `${definition};`),
    ...tables.map(({ name, isUnlogged, options }) => {
      const lines = [
        ...columns
          .filter(({ table }) => table === name)
          .map((column) => `${column.name} ${column.type} ${column.rest}`.trim()),
        ...constraints
          .filter(({ table, kind }) => table === name && kind !== 'f')
          .map((constraint) => `constraint ${constraint.name} ${constraint.definition}`),
      ];
      const own = indexes
        .filter(({ table }) => table === name)
        .map(({ definition }) => `\n${definition.replace(' ON public.', ' ON ')};`);
      return `create ${isUnlogged ? 'unlogged ' : ''}table ${name} (\n  ${lines.join(',\n  ')}\n)${options ? ` with (${options})` : ''};${own.join('')}`;
    }),
    ...constraints
      .filter(({ kind }) => kind === 'f')
      .map(({ table, name, definition }) => `alter table ${table} add constraint ${name} ${definition};`),
    ...triggers.map((definition) => `${definition.replace(' ON public.', ' ON ')};`),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** One diagram per group of tables. Mermaid does not allow spaces or brackets in a type. */
export function schemaDiagrams({ tables, columns, constraints }: Schema, groupOf: (table: string) => string): string {
  const groups = Map.groupBy(tables, ({ name }) => groupOf(name));
  const typeOf = (type: string) =>
    type
      .replaceAll(/\(.*\)/g, '')
      .replaceAll('[]', '_array')
      .replaceAll(' ', '_');
  const diagrams = [...groups].map(([group, members]) => {
    const names = new Set(members.map(({ name }) => name));
    const entities = members.map(({ name }) => {
      const own = columns.filter(({ table }) => table === name);
      return `  ${name} {\n${own.map((column) => `    ${typeOf(column.type)} ${column.name}${column.isKey ? ' PK' : ''}`).join('\n')}\n  }`;
    });
    const references = constraints
      .filter(({ kind, table }) => kind === 'f' && names.has(table))
      .map(({ table, to, definition }) => `  ${to} ||--o{ ${table} : "${/\(([^)]*)\)/.exec(definition)![1]}"`);
    return `## ${group}\n\n\`\`\`mermaid\nerDiagram\n${[...entities, ...new Set(references)].join('\n')}\n\`\`\``;
  });
  return `${diagrams.join('\n\n')}\n`;
}
