"""The game table: seats, fair dice, records, and what each caller is shown."""
