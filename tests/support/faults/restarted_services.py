"""All processes of the service, each of which a test restarts as an operator does for a new release."""

import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from tests.integration.management_api.running_service import ServiceProcess, service_environment
from tests.support.clients.token_issuer import TokenIssuer
from tests.support.polling import eventually
from tests.support.servers.edge_process import StartedEdge
from tests.support.servers.service_process import StartedProcess

_MODULES = {
    "publisher": ("publisher.main", "PublisherSettings"),
    "consumer": ("management_api.event_consumer.main", "ConsumerSettings"),
}


class RestartedServices:
    """An edge with workers, instances of management, a publisher and a consumer, on the test's servers."""

    def __init__(
        self,
        edge: StartedEdge,
        variables: Mapping[str, str],
        issuer: TokenIssuer,
        folder: Path,
        *,
        management_instances: int,
    ) -> None:
        self.edge = edge
        self._folder = folder
        self._variables = variables
        self._others = {name: self._other(name) for name in _MODULES}
        self._environments = [
            service_environment(
                variables["ONBOARDING_DATABASE_URL"],
                variables["ONBOARDING_MASTER_KEY"],
                folder,
                identity_jwks_file=str(issuer.jwks_file),
                management_metrics_port="0",
                management_workers="2",
                max_flows_per_project="100000",
            )
            for _ in range(management_instances)
        ]
        self.management = [self._management(number) for number in range(management_instances)]

    @property
    def management_ports(self) -> list[int]:
        """The ports of the management instances; a restart keeps them."""
        return [instance.port for instance in self.management]

    def wait_until_ready(self) -> None:
        """Wait until management is ready; the edge already is."""
        for instance in self.management:
            instance.wait_until_ready()

    def restart_edge_workers(self) -> None:
        """Replace the workers of the edge one after the other (SIGHUP)."""
        self.edge.rolling_restart()

    def restart_management_workers(self) -> None:
        """Replace the workers of one instance (SIGHUP)."""
        arbiter = psutil.Process(self.management[0].pid)
        before = set(arbiter.children())
        os.kill(arbiter.pid, signal.SIGHUP)

        def are_replaced() -> bool:
            workers = set(arbiter.children())
            return len(workers) == len(before) and not before & workers

        eventually(are_replaced, within=120)

    def replace_management(self) -> None:
        """Stop each instance but the first (SIGTERM) and start a new one on its port."""
        for number in range(1, len(self.management)):
            assert self.management[number].stop() == 0
            self.management[number] = self._management(number)
            self.management[number].wait_until_ready()

    def replace(self, name: str) -> None:
        """Stop the publisher or the consumer (SIGTERM) and start a new one."""
        assert self._others[name].terminate() == 0
        self._others[name] = self._other(name)

    def stop(self) -> None:
        """Stop all processes but the edge."""
        for other in self._others.values():
            other.kill()
        for instance in self.management:
            instance.stop()

    def _other(self, name: str) -> StartedProcess:
        return StartedProcess(*_MODULES[name], self._variables, self._folder / f"{name}.log")

    def _management(self, number: int) -> ServiceProcess:
        return ServiceProcess(self._environments[number], self._folder / f"management-{number}.log")


@contextmanager
def restarted_services(
    database_url: str, redis_url: str, master_key: str, folder: Path, *, edge_workers: int, management_instances: int
) -> Iterator[tuple[RestartedServices, TokenIssuer]]:
    """Run all processes for the length of the block; yields them and the issuer of their users' tokens."""
    issuer = TokenIssuer(folder)
    variables = {
        "ONBOARDING_DATABASE_URL": database_url,
        "ONBOARDING_REDIS_URL": redis_url,
        "ONBOARDING_MASTER_KEY": master_key,
        "ONBOARDING_PUBLISHER_METRICS_PORT": "0",
        "ONBOARDING_CONSUMER_METRICS_PORT": "0",
    }
    spool = {"edge_spool_folder": str(folder / "spool"), "edge_metrics_port": "0"}
    with ExitStack() as stack:
        edge = stack.enter_context(StartedEdge(redis_url, folder, workers=edge_workers, **spool))
        services = RestartedServices(edge, variables, issuer, folder, management_instances=management_instances)
        stack.callback(services.stop)
        services.wait_until_ready()
        yield services, issuer
