// In `npm run dev`, reloads the page after each change and each restart of the server.
let seen;
const source = new EventSource('/dev/reload');
source.addEventListener('change', () => location.reload());
source.addEventListener('hello', ({ data }) => {
  if (seen !== undefined && seen !== data) location.reload();
  seen = data;
});
