"""What every game stands on: records, binding, random numbers, drivers, positions."""
