# The door: the workflow itself lives in workflow/Snakefile.


include: "workflow/Snakefile"


workflow.default_target = "all"
