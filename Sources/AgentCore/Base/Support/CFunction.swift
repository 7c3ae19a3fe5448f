import Glibc

/// C library functions that the headers show to C with _GNU_SOURCE, but not to Swift.
package enum CFunction {
    /// - Parameters:
    ///   - name: the linker's name.
    ///   - type: its type in the header, as a `@convention(c)` function. Nothing checks it, so the
    ///     caller says where it comes from.
    /// - Returns: nil if this C library does not have it.
    package static func named<Function>(
        _ name: String, as type: Function.Type = Function.self
    ) -> Function? {
        // A pointer to code and a C function value are the same word.
        dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
    }
}
