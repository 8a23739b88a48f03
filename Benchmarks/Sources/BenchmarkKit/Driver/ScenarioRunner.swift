/// Runs one peer's scenarios, in this process or each in a separate one.
final class ScenarioRunner {
  private let kind: PeerKind
  private let plan: PeerSession.Plan
  private let isApart: Bool
  private var session: PeerSession

  init(_ kind: PeerKind, _ plan: PeerSession.Plan, isApart: Bool) {
    self.kind = kind
    self.plan = plan
    self.isApart = isApart
    session = PeerSession(kind, plan: plan)
  }

  func run(_ scenario: Scenario) throws -> [Measurement] {
    guard isApart else { return try session.run(scenario) }
    for step in session.steps(before: scenario) { _ = try runApart(step) }
    let outcome = try runApart(scenario)
    let megabytes = Double(outcome.peakBytes) / 1e6
    return outcome.measurements + [Measurement("… peak memory", "MB", .less, [megabytes])]
  }

  private func runApart(_ scenario: Scenario) throws -> Child.Outcome {
    let outcome = try Child.run(scenario, session)
    session = PeerSession(kind, plan: plan, state: outcome.state)
    return outcome
  }

  func finish() throws { try session.finish() }
}
