"""Values → quads and quads → values: source chain, trace, lineage. Pure; knows no store, service or clock."""
