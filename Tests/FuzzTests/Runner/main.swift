import Glibc

/// The fuzzer: the target that `FUZZ_TARGET` names, with the arguments of libFuzzer. It starts
/// itself again with its own arguments, so the target is not among them.
@_silgen_name("LLVMFuzzerRunDriver")
func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

enum Chosen {
    static let target = FuzzTarget.all.first { target in
        getenv("FUZZ_TARGET").map { String(cString: $0) } == target.name
    }
}

/// libFuzzer's own `main` is linked as well, and asks for this name.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
        try Chosen.target?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

if Chosen.target == nil {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(getenv("FUZZ_TARGET") == nil ? 0 : 2)
}
var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(runDriver(&count, &arguments) { testOneInput($0, $1) })
