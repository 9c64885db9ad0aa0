FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /opt/provgraph
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY ontology ontology
COPY services services
RUN /opt/provgraph/bin/pip install --no-cache-dir '.[apart,otel]'

FROM python:3.11-slim
# Scans and pictures are read by Tesseract; other languages are packages of their own (tesseract-ocr-deu, …).
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-eng \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home provgraph \
    && install --directory --owner=provgraph --group=provgraph /data /library
COPY --from=build /opt/provgraph /opt/provgraph
ENV PATH=/opt/provgraph/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PROVGRAPH_DATA=/data \
    PROVGRAPH_HOST=0.0.0.0
USER provgraph
VOLUME /data
EXPOSE 8888
# Bound to all addresses, the service starts only with PROVGRAPH_TOKEN; /ready needs none.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8888/ready', timeout=4)"]
ENTRYPOINT ["provgraph"]
CMD ["serve"]
