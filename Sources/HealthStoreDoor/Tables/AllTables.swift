/// The tables of SQL and Arrow.
let tables: [any Table] = [
  SamplesTable(), StatisticsTable(), ChangesTable(), WorkoutsTable(), ActivitySummariesTable(),
  SubjectsTable(), SourcesTable(),
]
