export function Brand() {
  return (
    <div className="flex h-14 shrink-0 items-center gap-2.5 px-5">
      <img src="/favicon.svg" alt="" className="size-7 rounded-md" />
      <span className="text-base font-semibold tracking-tight">Lamplighter</span>
    </div>
  );
}
