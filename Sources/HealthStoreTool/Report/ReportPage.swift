import Foundation
import HealthStore

/// A report as a self-contained HTML page without scripts.
struct ReportPage {
  private let data: ReportData
  private let subject: String
  private var days: ReportDays { data.days }

  init(_ data: ReportData, subject: String) {
    self.data = data
    self.subject = subject
  }

  private struct Section {
    let id: String
    let title: String
    let content: Markup
  }

  var html: String {
    let sections =
      data.quantities.map(quantity) + [sleep].compactMap(\.self)
      + data.durations.map(duration) + [workouts, sources, gaps].compactMap(\.self)
    let title = subject.isEmpty ? "Health report" : "Health report of \(subject)"
    let period: Markup =
      days.count == 0
      ? "There are no samples."
      : "\(days.names.first ?? "") to \(days.names.last ?? ""), days of \(zone)."
    let links = sections.map { section -> Markup in
      "<li><a href=\"#\(section.id)\">\(section.title)</a></li>\n"
    }
    let parts = sections.map { section -> Markup in
      """
      <section id="\(section.id)" aria-labelledby="\(section.id)-title">
      <h2 id="\(section.id)-title">\(section.title)</h2>
      \(section.content)</section>

      """
    }
    let navigation: Markup =
      sections.isEmpty ? "" : "<nav aria-label=\"Contents\"><ul>\n\(links)</ul></nav>\n"
    let page: Markup = """
      <!DOCTYPE html>
      <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
      <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="generator" content="healthstore \(Tool.version)"/>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
      'unsafe-inline'"/>
      <title>\(title)</title>
      <style>
      \(ReportStyle.sheet)</style>
      </head>
      <body>
      <a class="skip" href="#main">Skip to the figures</a>
      <header>
      <h1><bdi>\(title)</bdi></h1>
      <p>\(period)</p>
      \(navigation)</header>
      <main id="main">
      \(parts)\(empty(sections))</main>
      </body>
      </html>

      """
    return page.text
  }

  private var zone: String {
    let name = days.zone.calendar.timeZone.identifier
    // Foundation's name for UTC is GMT.
    return name == "GMT" ? "UTC" : name
  }

  private func empty(_ sections: [Section]) -> Markup {
    sections.isEmpty && days.count > 0 ? "<p>There are no samples in this time.</p>\n" : ""
  }

  // MARK: Sections

  /// Returns a chart next to its table.
  private func pair(_ chart: Markup, _ table: ReportTable) -> Markup {
    "<div class=\"pair\">\n<figure>\n\(chart)</figure>\n\(table.markup)</div>\n"
  }

  private func quantity(_ quantity: ReportData.Quantity) -> Section {
    let kind = quantity.kind
    let measure = kind.isSum ? "Total" : "Average"
    func part(
      _ figures: [ReportData.Figure?], _ names: [String], _ interval: String
    ) -> Markup {
      let columns = zip(names, figures).map { name, figure -> Chart.Column in
        var column = Chart.Column(
          name: String(name.suffix(5)),
          hint: "\(name): \(figure.map { kind.text($0.middle) } ?? "–") \(kind.unitName)")
        guard let figure else { return column }
        if kind.isSum {
          column.parts = [("sum", figure.middle)]
        } else {
          column.range = (figure.low, figure.middle, figure.high)
        }
        return column
      }
      let caption = "\(kind.title) by \(interval)"
      var table = ReportTable(
        kind.title.lowercased() == kind.unitName ? caption : "\(caption), \(kind.unitName)",
        [interval == "day" ? "Day" : "Week from", measure] + (kind.isSum ? [] : ["Least", "Most"]),
        numbers: 1..<4)
      for (name, figure) in zip(names, figures) {
        guard let figure else { continue }
        let numbers = kind.isSum ? [figure.middle] : [figure.middle, figure.low, figure.high]
        table.rows.append([name] + numbers.map(kind.text))
      }
      let what = kind.isSum ? "totals" : "ranges, with the average marked,"
      return pair(
        Chart.columns(
          columns, title: "\(caption): \(what) in \(kind.unitName); the table has the numbers",
          label: "\(kind.unitName) by \(interval)"), table)
    }
    return Section(
      id: kind.type.shortName, title: kind.title,
      content:
        "\(part(quantity.days, days.names, "day"))\(part(quantity.weeks, days.weekNames, "week"))"
    )
  }

  private var sleep: Section? {
    if data.sleep.isEmpty { return nil }
    let values: [(value: HKCategoryValueSleepAnalysis, name: String)] =
      ReportSleep.stages.map { ($0.value, $0.name) } + [(.awake, "Awake"), (.inBed, "In bed")]
    let shown = values.filter { value in data.sleep.contains { $0.values[value.value] != nil } }
    let hasUnstaged = data.sleep.contains { $0.unstaged != nil }
    var table = ReportTable(
      "Sleep, by the day on which it ends",
      ["Day", "Asleep"] + shown.map(\.name) + (hasUnstaged ? ["No stage"] : []), numbers: 1..<8)
    for (name, day) in zip(days.names, data.sleep) where !day.isEmpty {
      let rest = shown.map { day.values[$0.value] } + (hasUnstaged ? [day.unstaged] : [])
      table.rows.append(
        [name, ReportText.duration(day.asleep)]
          + rest.map { $0.map(ReportText.duration) ?? "–" })
    }
    let columns = zip(days.names, data.sleep).map { name, day in
      Chart.Column(
        name: String(name.suffix(5)),
        hint: "\(name): \(ReportText.duration(day.asleep)) asleep",
        parts: day.parts.map { ($0.style, $0.seconds / 3600) })
    }
    let styles: [(name: String, style: String)] =
      ReportSleep.stages.map { ($0.name, $0.style) } + [("No stage", "asleep"), ("Awake", "awake")]
    let key = styles.filter { style in
      data.sleep.contains { $0.parts.contains { $0.style == style.style } }
    }.map { name, style -> Markup in
      "<li><span class=\"key \(style)\"></span>\(name)</li>"
    }
    let chart = Chart.columns(
      columns, title: "Sleep by day: hours of each stage; the table has the numbers",
      label: "hours by the day on which sleep ends")
    return Section(
      id: "sleep", title: "Sleep",
      content: pair("\(chart)<figcaption><ul class=\"keys\">\(key)</ul></figcaption>\n", table))
  }

  /// Returns a chart of the minutes of each day.
  private func minutes(_ seconds: [Double], _ title: String) -> Markup {
    let columns = zip(days.names, seconds).map { name, seconds in
      Chart.Column(
        name: String(name.suffix(5)), hint: "\(name): \(ReportText.number(seconds / 60, 0)) min",
        parts: seconds > 0 ? [("sum", seconds / 60)] : [])
    }
    return Chart.columns(columns, title: title, label: "minutes by day")
  }

  private func duration(_ duration: ReportData.Duration) -> Section {
    var table = ReportTable("\(duration.title) by day", ["Day", "Minutes"], numbers: 1..<2)
    for (name, seconds) in zip(days.names, duration.days) where seconds > 0 {
      table.rows.append([name, ReportText.number(seconds / 60, 0)])
    }
    return Section(
      id: duration.title.lowercased(), title: duration.title,
      content: pair(
        minutes(
          duration.days, "\(duration.title) by day: minutes; the table has the numbers"), table))
  }

  private var workouts: Section? {
    if data.workouts.isEmpty { return nil }
    var table = ReportTable(
      "Workouts", ["Begins", "Activity", "Minutes", "kcal", "km", "Source"], numbers: 2..<5)
    for workout in data.workouts {
      let text = days.zone.text(workout.start)
      table.rows.append([
        "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))", workout.name,
        ReportText.number(workout.active.seconds / 60, 0), workout.energy, workout.distance,
        workout.source,
      ])
    }
    return Section(
      id: "workouts", title: "Workouts",
      content: pair(
        minutes(data.workoutSeconds, "Workouts by day: minutes; the table has each"), table))
  }

  private var sources: Section? {
    if data.sources.isEmpty { return nil }
    var table = ReportTable(
      "Sources", ["Source", "Identifier", "Samples", "First", "Last"], numbers: 2..<3)
    for (source, figure) in data.sources {
      table.rows.append([
        source.name, source.bundleIdentifier, Figures.count(figure.count), day(figure.first),
        day(figure.last),
      ])
    }
    return Section(
      id: "sources", title: "Sources",
      content: pair(
        Chart.bars(
          data.sources.map { ($0.name, Double($1.count), Figures.count($1.count)) },
          title: "Samples by source; the table has the numbers"), table))
  }

  private func day(_ seconds: Double) -> String {
    ReportDays.name(Date(timeIntervalSinceReferenceDate: seconds), days.zone)
  }

  private var gaps: Section? {
    if data.coverage.isEmpty { return nil }
    var table = ReportTable(
      "Types, and days without samples", ["Type", "Samples", "Days", "Without samples"],
      numbers: 1..<3)
    for coverage in data.coverage {
      let filled = coverage.days.count { $0 }
      let gaps = coverage.gaps.map { gap in
        gap.count == 1
          ? days.names[gap.lowerBound]
          : "\(days.names[gap.lowerBound]) to \(days.names[gap.upperBound])"
      }
      table.rows.append([
        coverage.type, Figures.count(coverage.count), "\(filled) of \(days.count)",
        // For a type that is measured occasionally, the days between are not gaps.
        gaps.isEmpty
          ? "none" : filled * 2 < days.count ? "most days" : gaps.joined(separator: ", "),
      ])
    }
    return Section(
      id: "gaps", title: "Gaps",
      content: pair(
        Chart.grid(
          data.coverage.map { ($0.type, $0.days) }, names: days.names,
          title: "Days with samples by type; the table has the days without"), table))
  }
}
