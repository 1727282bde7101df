// In `npm run dev`, reloads the page after each change and each restart of the server. A hidden tab is reloaded when it is shown again,
// because a browser opens only six connections to a host for all tabs.
let seen;
let source;

function follow() {
  source?.close();
  if (document.hidden) return;
  source = new EventSource('/dev/reload');
  source.addEventListener('message', ({ data }) => {
    if (seen !== undefined && seen !== data) location.reload();
    seen = data;
  });
}

document.addEventListener('visibilitychange', follow);
follow();
