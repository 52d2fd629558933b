/** Tests of the commands about fleets. */
@org.jspecify.annotations.NullMarked
package dev.medley.cli.fleet;
