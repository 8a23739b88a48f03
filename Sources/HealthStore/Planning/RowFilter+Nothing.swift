import SampleLog

extension RowFilter {
  /// A filter that no row satisfies.
  static var nothing: RowFilter {
    var filter = RowFilter()
    filter.ids = []
    return filter
  }
}
