// While `npm run dev` runs: the page reloads after each change, and after each restart of the service.
let seen;
const source = new EventSource('/dev/reload');
source.addEventListener('change', () => location.reload());
source.addEventListener('hello', ({ data }) => {
  if (seen !== undefined && seen !== data) location.reload();
  seen = data;
});
