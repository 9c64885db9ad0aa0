FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/build && python -m venv --without-pip /opt/provgraph
# Exactly these files, by their hashes; `make lock` writes the lists anew.
COPY locks locks
RUN /opt/build/bin/pip install --no-cache-dir --require-hashes -r locks/build.txt \
    && /opt/build/bin/pip --python /opt/provgraph/bin/python install --no-cache-dir --require-hashes -r locks/image.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY ontology ontology
COPY services services
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/build/bin/pip --python /opt/provgraph/bin/python install --no-cache-dir --no-deps /wheels/*.whl

FROM python:3.11-slim
# Scans and pictures are read by Tesseract; other languages are packages of their own (tesseract-ocr-deu, …).
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-eng \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --system --gid 10001 provgraph \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin provgraph \
    && install --directory --owner=provgraph --group=provgraph /data /library
COPY --from=build /opt/provgraph /opt/provgraph
ENV PATH=/opt/provgraph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PROVGRAPH_DATA=/data \
    PROVGRAPH_HOST=0.0.0.0
# By number, so that an engine that refuses root can tell that this is another. Only /data, /library and /tmp are written.
USER 10001:10001
VOLUME /data
EXPOSE 8888
# Bound to all addresses, the service starts only with PROVGRAPH_TOKEN; /ready needs none.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-m", "provgraph.cli.readiness"]
ENTRYPOINT ["provgraph"]
CMD ["serve"]
