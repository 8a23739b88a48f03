import SampleLog

/// A named column of a table.
struct TableColumn {
  var name: String
  var values: ColumnValues
}

/// The values of a column, which may be null in any column.
enum ColumnValues {
  case texts(TextColumn)
  /// Times in microseconds since 1970-01-01 00:00 UTC.
  case times(ValueColumn<Int64>)
  case integers(ValueColumn<Int64>)
  case numbers(ValueColumn<Double>)
  case identifiers(ValueColumn<Identifier>)

  var presence: Presence {
    switch self {
    case .texts(let column): column.numbers.presence
    case .times(let column), .integers(let column): column.presence
    case .numbers(let column): column.presence
    case .identifiers(let column): column.presence
    }
  }
}
