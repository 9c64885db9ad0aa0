"""Documents into the store and out of it: jobs, uploads, the pipeline, imports, revisions and removal."""
