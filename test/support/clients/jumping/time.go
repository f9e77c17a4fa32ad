// Package time is what an example uses of Go's time, with clocks that jump in the first pause.
package time

import (
	"os"
	"strconv"
	"time"
	"unsafe"
)

type (
	Duration = time.Duration
	Time     = time.Time
)

const (
	Minute = time.Minute
	Second = time.Second
)

var haveJumped bool

func Sleep(d Duration) {
	time.Sleep(d)
	haveJumped = true
}

func Now() Time {
	now := time.Now()
	if !haveJumped {
		return now
	}
	wall, steady := jump("WALL_JUMP"), jump("STEADY_JUMP")
	// Add moves both readings. The second word of a Time is the monotonic one.
	now = now.Add(wall)
	(*[2]Duration)(unsafe.Pointer(&now))[1] += steady - wall
	return now
}

func Since(t Time) Duration {
	return Now().Sub(t)
}

func jump(variable string) Duration {
	seconds, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		panic(err)
	}
	return Duration(seconds) * Second
}
