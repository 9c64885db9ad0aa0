"""Documents addressed by their file's name or their title, over HTTP; tables that travel with their pages."""

from __future__ import annotations

from api.running import Running
from api.test_deletion_over_http import delete
from api.test_documents_over_http import tree, upload
from provgraph.documents.stored_tables import StoredTables
from provgraph.rdf.terms import NamedNode

TABLE = b"# Sales (in millions)\n\n| Item | FY2021 |\n| --- | --- |\n| Revenue | $ 12 |\n| Costs | 7 |\n"


async def test_a_document_is_shown_and_deleted_by_the_name_of_its_file(service: Running) -> None:
    job = await upload(service, ("curie.md", b"# The Curies\n\nMarie Curie discovered polonium."))
    known = job["documents"][0]["id"]
    names = ("curie.md", "CURIE.MD", "curie", "the curies", known)
    assert {(await tree(service, name))["id"] for name in names} == {known}
    assert (await delete(service, "curie.md"))["document"] == known
    assert await service.get("/api/v1/documents") == []


async def test_a_name_that_several_documents_have_lists_them(service: Running) -> None:
    await upload(service, ("report.md", b"# One\n\nOne was first."))
    await upload(service, ("report.txt", b"Two was second, and another."))
    answer = await service.client.get("/api/v1/documents", params={"id": "report"})
    assert answer.status_code == 409
    assert all(name in answer.json()["detail"] for name in ("report.md", "report.txt"))


async def test_a_name_that_no_document_has_is_not_found(service: Running) -> None:
    answer = await service.client.get("/api/v1/documents", params={"id": "nothing.pdf"})
    assert answer.status_code == 404


async def test_the_tables_of_a_page_are_read_from_the_library_and_go_with_it(service: Running) -> None:
    job = await upload(service, ("sales.md", TABLE))
    (page,) = [NamedNode(each["id"]) for each in (await tree(service, job["documents"][0]["id"]))["content"]]
    (table,) = await StoredTables(service.assembly.library, "default").of([page])
    assert [(str(cell.amount), cell.unit, cell.period) for cell in table.values] == [
        ("12000000", "USD", "2021"),
        ("7000000", "USD", "2021"),
    ]
    await delete(service, "sales.md")
    assert await StoredTables(service.assembly.library, "default").of([page]) == []
