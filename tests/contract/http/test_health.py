"""The operations endpoints (contract, section 3)."""

from tests.support.clients.management import Management


def test_a_running_service_is_live_and_ready(management: Management) -> None:
    assert management.anonymous().get("/health/live").json == {"success": True}
    assert management.anonymous().get("/health/ready").json == {"success": True}


def test_an_old_schema_is_not_ready_but_live(own_management: Management) -> None:
    with own_management.database.transaction() as session:
        session.connection().exec_driver_sql("UPDATE alembic_version SET version_num = '0000'")
    response = own_management.anonymous().get("/health/ready")
    assert (response.status_code, response.json["code"]) == (503, "UNAVAILABLE")
    assert "retry-after" in response.headers
    assert own_management.anonymous().get("/health/live").status_code == 200


def test_operations_endpoints_stand_outside_the_interface(management: Management) -> None:
    assert management.anonymous().get("/api/health/live").status_code == 404
