"""Serves the metrics of a process to Prometheus, on a port of its own."""

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from socket import AF_INET, AF_INET6
from socketserver import TCPServer, ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import structlog
from msgspec import structs
from prometheus_client import CollectorRegistry, make_wsgi_app
from prometheus_client.metrics_core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from common.settings.shared import MetricsSettings
from common.telemetry.catalogue import process as catalogue
from common.telemetry.catalogue.complete import CATALOGUE
from common.telemetry.catalogue.former_names import FORMER_NAMES, FORMER_VALUES
from common.telemetry.metrics import Metric, Process
from common.telemetry.multiprocess_store import MultiprocessStore
from common.telemetry.process_metrics import collect_build_info, collect_process
from common.telemetry.reporting import block_signals
from common.telemetry.samples import Collect, Sample, collect_samples

_LOG = structlog.stdlib.get_logger(__name__)

#: Returns the samples of a whole process; called in the thread of each scrape.
ReadSamples = Callable[[], list[Sample]]

_RETRY_SECONDS = 1.0
_START_SECONDS = 5.0


@contextmanager
def serve_process_metrics(
    process: Process, settings: MetricsSettings, *, port: int, collectors: Sequence[Collect]
) -> Iterator[None]:
    """Serve the metrics of a process without workers for the length of the block; port 0: not at all.

    Scrapes call the collectors, which therefore must not wait for a server (see PollingCollector).
    """

    def read() -> list[Sample]:
        samples = collect_samples(collectors)
        collect_process(process, samples)
        collect_build_info(process, samples)
        samples.add(catalogue.METRICS_AGE, 0.0, process)
        return samples.samples

    with serve_metrics(settings, port, read):
        yield


@contextmanager
def serve_worker_metrics(
    process: Process, settings: MetricsSettings, *, port: int, workers: int
) -> Iterator[Path | None]:
    """Serve the metrics of all workers for the length of the block; return the folder for their samples.

    Without metrics, the folder is None: when the port is 0 and when no folder can be created.
    """
    if port == 0:
        yield None
        return
    try:
        opened = MultiprocessStore.open(process, workers)
    except OSError as error:
        _LOG.warning("metrics_not_served", port=port, reason=error.strerror)
        yield None
        return
    with opened as store, serve_metrics(settings, port, store.read):
        yield store.path


@contextmanager
def serve_metrics(settings: MetricsSettings, port: int, read: ReadSamples) -> Iterator[None]:
    """Serve for the length of the block; port 0: not at all."""
    if port == 0:
        yield
        return
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_SampleCollector(read))
    exporter = _Exporter(settings.metrics_host, port, registry)
    exporter.start()
    try:
        yield
    finally:
        exporter.stop()


def families(declared: Iterable[Metric], samples: Iterable[Sample]) -> Iterator[Family]:
    """Yield the samples as the metric families of prometheus_client, in the order of the declarations."""
    by_metric: dict[str, list[Sample]] = {}
    for sample in samples:
        by_metric.setdefault(sample.metric, []).append(sample)
    for metric in declared:
        if metric.name not in by_metric:
            continue
        own = [*by_metric[metric.name], *_with_former_values(by_metric[metric.name])]
        yield _family(metric, sorted(own, key=lambda sample: sample.labels))
        if former_name := FORMER_NAMES.get(metric.name):
            help_text = f"The former name of {metric.name}, until release 0.4."
            yield _family(replace(metric, name=former_name, help=help_text), own)


def _with_former_values(samples: Iterable[Sample]) -> Iterator[Sample]:
    for sample in samples:
        if len(sample.labels) == 1 and (former := FORMER_VALUES.get((sample.metric, sample.labels[0]))):
            yield structs.replace(sample, labels=(former,))


def _family(metric: Metric, samples: Iterable[Sample]) -> Family:
    if metric.kind == "histogram":
        histogram = HistogramMetricFamily(metric.name, metric.help, labels=metric.labels)
        for sample in samples:
            histogram.add_metric(sample.labels, list(_cumulative_buckets(metric, sample)), sample.value)
        return histogram
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(metric.name, metric.help, labels=metric.labels)
    for sample in samples:
        family.add_metric(sample.labels, sample.value)
    return family


def _cumulative_buckets(metric: Metric, sample: Sample) -> Iterator[tuple[str, float]]:
    """Yield bounds and counts in the form of Prometheus: a bucket includes the smaller ones."""
    total = 0
    for bound, count in zip((*map(repr, metric.bounds), "+Inf"), sample.bucket_counts, strict=True):
        total += count
        yield bound, total


class _SampleCollector(Collector):
    def __init__(self, read: ReadSamples) -> None:
        self._read = read

    def collect(self) -> Iterator[Family]:
        return families(CATALOGUE.values(), self._read())


class _Handler(WSGIRequestHandler):
    #: For one read from a client; start_http_server of prometheus_client would keep its thread and socket for ever.
    timeout = 5.0

    def log_message(self, *_: object) -> None:
        """Log no requests."""


class _Server(ThreadingMixIn, WSGIServer):
    """The server of prometheus_client's start_http_server, with a timeout."""

    daemon_threads = True
    #: Many clients at once must not fill the queue of connections; the default is 5.
    request_queue_size = 128
    #: For :meth:`handle_request`: the interval at which the loop checks for the stop.
    timeout = 0.2

    def __init__(self, host: str, port: int, registry: CollectorRegistry) -> None:
        self.address_family = AF_INET6 if ":" in host else AF_INET
        super().__init__((host, port), _Handler)
        self.set_app(make_wsgi_app(registry))

    def server_bind(self) -> None:
        # Without the reverse look-up of the base class, which may wait for a DNS server.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), int(self.server_address[1])
        self.setup_environ()

    def handle_error(self, *_: object) -> None:
        """Ignore clients that are slow or gone. Errors of the application are logged by wsgiref."""


class _Exporter:
    """Runs the server in a thread. A busy port must not stop the process: it is tried again until it is free."""

    def __init__(self, host: str, port: int, registry: CollectorRegistry) -> None:
        self._host = host
        self._port = port
        self._registry = registry
        self._tried = threading.Event()
        self._stopping = threading.Event()
        self._owner = os.getpid()
        self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)

    def start(self) -> None:
        """Return when the port was tried once."""
        self._thread.start()
        self._tried.wait(_START_SECONDS)

    def stop(self) -> None:
        """Release the port. A worker that was forked within the block leaves it too, without the thread."""
        self._stopping.set()
        if os.getpid() == self._owner:
            self._thread.join(_START_SECONDS)

    def _run(self) -> None:
        block_signals()
        has_warned = False
        while not self._stopping.is_set():
            try:
                server = _Server(self._host, self._port, self._registry)
            except OSError as error:
                if not has_warned:
                    _LOG.warning("metrics_not_served", port=self._port, reason=error.strerror)
                has_warned = True
                self._tried.set()
                self._stopping.wait(_RETRY_SECONDS)
            else:
                self._serve(server)

    def _serve(self, server: _Server) -> None:
        # A forked worker must not keep the port after the end of its parent.
        os.register_at_fork(after_in_child=server.socket.close)
        with server:
            self._tried.set()
            while not self._stopping.is_set():
                server.handle_request()
