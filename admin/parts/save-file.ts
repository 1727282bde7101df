/** Downloads data as a JSON file. */
export const saveJson = (fileName: string, data: unknown) =>
  save(fileName, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));

export const saveText = (fileName: string, text: string) => save(fileName, new Blob([text], { type: 'text/plain' }));

function save(fileName: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
