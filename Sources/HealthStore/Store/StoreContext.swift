import Foundation
import SampleLog

/// What the symbols of one store stand for in HealthKit's words.
final class StoreContext: Sendable {
  let symbols: SymbolTable
  private let types: SymbolCache<HKSampleType?>
  private let units: SymbolCache<HKUnit>
  private let revisions: SymbolCache<HKSourceRevision>
  private let devices: SymbolCache<HKDevice?>

  init(_ symbols: SymbolTable) {
    self.symbols = symbols
    types = SymbolCache(symbols) { name in
      HKObjectType.make(identifier: String(decoding: name, as: UTF8.self)) as? HKSampleType
    }
    units = SymbolCache(symbols) { name in
      // Only another program can have written a unit that does not parse.
      (try? HKUnit.parse(String(decoding: name, as: UTF8.self))) ?? .null
    }
    revisions = SymbolCache(symbols) { HKSourceRevision(stored: $0) ?? .unknown }
    devices = SymbolCache(symbols) { HKDevice(stored: $0) }
  }

  /// The type that a symbol names, `nil` when it names none of HealthKit's.
  func type(_ symbol: Symbol) -> HKSampleType? { types[symbol] }

  func unit(_ symbol: Symbol) -> HKUnit { units[symbol] }

  func sourceRevision(_ symbol: Symbol) -> HKSourceRevision { revisions[symbol] }

  func device(_ symbol: Symbol) -> HKDevice? { symbol == 0 ? nil : devices[symbol] }

  /// The symbol of a type.
  func symbol(of type: HKSampleType) -> Symbol { symbols.intern(type.identifier) }
}
