"""The paper: which files a build reads and makes, which claims it judges, and the pages that show what came out."""
