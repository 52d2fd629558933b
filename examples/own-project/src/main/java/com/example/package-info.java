/** A project outside Medley's build, with an architecture of its own. */
package com.example;
