/** A title with a colon after at least 12 characters. */
const PARTS = /(.{12,}?:) (.+)/;

/** A title. If it has a long part before a colon and needs several lines, it breaks there. */
export function TitleParts({ text }: { text: string }) {
  const [, first, rest] = PARTS.exec(text) ?? [];
  if (!first) return text;
  return (
    <>
      <span className="title-part">{first}</span> <span className="title-part">{rest}</span>
    </>
  );
}
