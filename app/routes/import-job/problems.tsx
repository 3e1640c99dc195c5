import type { ImportProblem } from "#domain/organization/import-records";
import { Rest } from "#app/routes/import/rest";

/** A sentence for each bad row, with the number that the spreadsheet shows and the column. */
export function Problems({ problems, all }: { problems: ImportProblem[]; all: number }) {
  return (
    <>
      <ul aria-label="Problems" className="divide-line divide-y">
        {problems.map(({ row, column, sentence }) => (
          <li key={`${row} ${column} ${sentence}`} className="flex flex-col gap-x-4 px-4 py-2.5 sm:flex-row">
            <span className="shrink-0 font-medium sm:w-44">
              Row {row}
              {column && `, ${column}`}
            </span>
            <span className="min-w-0 break-words">{sentence}</span>
          </li>
        ))}
      </ul>
      <Rest shown={problems.length} all={all} />
    </>
  );
}
