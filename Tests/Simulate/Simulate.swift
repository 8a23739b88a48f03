import Foundation
import SampleLogSimulation

@main
enum Simulate {
  static func main() {
    var explorer = Explorer()
    do {
      let begin = Date()
      for length in 1...3 {
        for number in 0..<Enumeration.count(length: length) {
          try explorer.explore(
            Enumeration.workload(length: length, number: number), from: length - 1)
        }
      }
      let time = Date().timeIntervalSince(begin)
      print(explorer.counts, time, Double(explorer.counts.distinct) / time)
    } catch let failure as SimulationFailure {
      print(failure)
      print(Shrinker.shrink(failure))
    } catch {
      print(error)
    }
  }
}
