// Fills in a form as Firefox's engine does: node pdfjs_fill.mjs MODULES IN OUT '{"field": "text", "box": true}'
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [modules, source, target, values] = process.argv.slice(2);
const pdfjs = await import(pathToFileURL(`${modules}/pdfjs-dist/legacy/build/pdf.mjs`));
const document = await pdfjs.getDocument({
  data: new Uint8Array(readFileSync(source)),
  standardFontDataUrl: `${modules}/pdfjs-dist/standard_fonts/`,
  verbosity: 0,
}).promise;
const fields = await document.getFieldObjects();
for (const [name, value] of Object.entries(JSON.parse(values))) {
  for (const field of fields[name]) {
    document.annotationStorage.setValue(field.id, { value });
  }
}
writeFileSync(target, await document.saveDocument());
