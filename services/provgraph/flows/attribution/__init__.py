"""Is what somebody wrote true, by these sources? text → claims with their citations → a verdict on each."""
