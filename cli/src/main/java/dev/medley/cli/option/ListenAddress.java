package dev.medley.cli.option;

import static dev.medley.base.ConfigException.check;

import dev.medley.base.job.JoinSpec;
import dev.medley.net.door.Interfaces;
import org.jspecify.annotations.Nullable;

/** Finds the address where machines join: as it was given, or that of one network interface. */
final class ListenAddress {
    private ListenAddress() {}

    /** On the interface of this machine that has that name; as it was given without one. */
    static String of(String listen, @Nullable String interfaceName) {
        return interfaceName == null
                ? listen
                : on(listen, interfaceName, Interfaces.ofThisMachine());
    }

    /**
     * The interface's address and the port of {@code listen}, whose host is any address or the same
     * one.
     */
    static String on(String listen, String interfaceName, Interfaces interfaces) {
        JoinSpec given = JoinSpec.at(listen);
        String address = interfaces.address("--interface", interfaceName);
        boolean isAny = given.host().equals("0.0.0.0") || given.host().equals("::");
        check(
                isAny || given.host().equals(address),
                "--interface %s has the address %s, and cluster.listen=%s names another: listen on"
                        + " 0.0.0.0:%d, or leave --interface out",
                interfaceName,
                address,
                listen,
                given.port());
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + given.port();
    }
}
