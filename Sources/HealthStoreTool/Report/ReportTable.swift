/// A table of a page, which scrolls separately if it is long.
struct ReportTable {
  let caption: String
  let columns: [String]
  /// The indices of the columns that contain numbers.
  let numbers: Range<Int>
  var rows: [[String]] = []

  init(_ caption: String, _ columns: [String], numbers: Range<Int>) {
    self.caption = caption
    self.columns = columns
    self.numbers = numbers
  }

  /// The markup of the table; the first cell of a row is its header.
  var markup: Markup {
    let titles = columns.enumerated().map { index, title -> Markup in
      "<th scope=\"col\"\(style(index))>\(title)</th>"
    }
    let body = rows.map { row -> Markup in
      let cells = row.enumerated().map { index, text -> Markup in
        index == 0
          ? "<th scope=\"row\"><bdi>\(text)</bdi></th>"
          : "<td\(style(index))><bdi>\(text)</bdi></td>"
      }
      return "<tr>\(cells)</tr>\n"
    }
    return """
      <div class="table" role="region" aria-label="\(caption)" tabindex="0">
      <table><caption>\(caption)</caption>
      <thead><tr>\(titles)</tr></thead>
      <tbody>
      \(body)</tbody></table></div>

      """
  }

  private func style(_ column: Int) -> Markup {
    numbers.contains(column) ? " class=\"number\"" : ""
  }
}
